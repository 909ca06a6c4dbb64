"""The commissioner's commands as one list of actions and forms; every kiosk and the phone show it. Pure.

`catalogue.ACTIONS` is the list, `offers.offers` what of it makes sense now, `menu.press` how keys, touches and cards
lead from it to a command, `lines.shown` what is to be seen. Whether the rules allow something only the engine says.
"""
