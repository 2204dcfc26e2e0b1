"""What every server of this house needs: Host and Origin guard, request ids, problem documents, keys."""
