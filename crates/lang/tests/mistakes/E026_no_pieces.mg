dimensions (3, 3)
main = find empty field, step.
