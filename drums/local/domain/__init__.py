"""The daemon's rules and deeds: slots, episodes, leases, branching, metrics.

It knows neither HTTP nor a concrete machine. Invariant: a decision is made on the slot's row before anything is
touched; then the intent is written, the deed done, the outcome written. So a daemon that is killed at any
moment leaves a store from which the next one can finish or undo what was half done.
"""
