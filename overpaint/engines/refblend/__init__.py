"""RefBlend, MultiRef's engine: pictures in, samples out whose references together describe one."""
