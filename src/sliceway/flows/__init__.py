"""What happens with a message and a click, from the inbox to the last reply."""
