"""MQTT: topics, envelope, client, replication and the roles built from them."""
