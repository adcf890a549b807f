"""The steps of the job: one module and one function for each state of the state machine."""
