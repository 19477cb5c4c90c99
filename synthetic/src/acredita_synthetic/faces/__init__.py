"""Synthetic faces: a head that is modelled, lit and rendered by code, visibly computer graphics.

The shape is a table of cross-sections with Gaussian displacements, the skin is noise, and hair is
drawn strand by strand. No photograph, scan, weight or data file is used. The people were chosen so
that a face engine finds them, matches pictures of one person and separates different ones. So they
serve the demonstration and tests, but are no evidence of any engine's accuracy.

Lengths are in centimetres. In the frame of the head, x points to the viewer's right (the person's
left), y up and z to the camera. The origin is between the eyes, on the axis of the head.
"""
