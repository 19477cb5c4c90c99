"""Try policies before they decide: on past verifications, and beside the published one."""
