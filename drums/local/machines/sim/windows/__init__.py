"""What is on a simulated screen and what happens when it is used: scene, geometry, session, mouse, keyboard."""
