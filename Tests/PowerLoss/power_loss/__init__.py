"""Drives a program on a disk that loses power, and judges what it finds there afterwards."""
