"""Which system to deploy: rules, the Pareto front, a recommendation and what it rests on."""
