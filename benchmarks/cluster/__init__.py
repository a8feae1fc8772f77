"""Replicas on a real Ray of this machine: how much sooner are two done than one, and what does a lost one change?"""
