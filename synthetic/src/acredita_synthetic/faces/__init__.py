"""Faces that are nobody's: a head modelled, lit and pictured in code, plainly computer graphics.

The shape is a table of cross-sections with Gaussian brush strokes on it, the skin is noise, hair is
drawn strand by strand; no photograph, scan, weight or data file goes in. A face engine finds these
faces, matches the pictures of one and tells different ones apart, because the people were chosen so
that it does: they exercise demo, tests and plumbing, and are no evidence of anybody's accuracy.

Lengths are centimetres. In the frame of the head x points to the viewer's right (the person's
left), y up and z to the camera; its origin lies between the eyes, on the axis of the head.
"""
