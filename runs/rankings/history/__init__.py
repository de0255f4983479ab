"""What boards said earlier: from frozen boards, and from older versions of sources."""
