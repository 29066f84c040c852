"""Python for pyautogui, interpreted: a small part of the language, and the modules that drive a simulated desktop."""
