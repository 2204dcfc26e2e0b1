"""The three journeys, played on the real wire: a workspace, a gateway in its own process, people who type and click."""
