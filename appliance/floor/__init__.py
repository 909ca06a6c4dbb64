"""The commissioner's commands as one list of actions and forms; every kiosk and the phone show it."""
