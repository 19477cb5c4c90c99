"""Signs that a document, or the picture of it, was altered or copied. One module measures one sign.

| module | signal | evidence |
|---|---|---|
| typeface | tampering.typeface | letters of a field look unlike those of other fields |
| proportions | tampering.proportions | letters of a field are wider or narrower |
| recompression | tampering.recompression | a part of the JPEG was not compressed before |
| repeated_portrait | tampering.portrait | the portrait and its small repetition show two people |
| screens | screen_grid, screen_colours | the picture is of a screen |
| photocopies | colourless | the picture is of a copy in black and white |
| copies | selfie.copy | the selfie is a copy of the portrait |

Each declares a `Sign` (name, version, limit; `domain/tampering`) and returns the `Signal` of its
measure, or None if the page has nothing to measure. `copies` returns `CopyEvidence`, which is
judged with the faces. A raised signal leads to review, never to a rejection alone; those of
`typeface` and `proportions` are only hints to the reviewer (`domain/documents/picture_problems`).
`docs/compliance/capture-quality.md` has their figures. `letters` cuts lines into letters for the
first two.

Images are BGR, uint8, of shape (height, width, 3). Corners are float32 of shape (4, 2), in pixels,
clockwise from the top left. Boxes are left, top, right, bottom as shares of the flat page.
"""
