// Runs a graph as its publisher's own TensorFlow.js does: the reference for the converted one.
//   node original.mjs TFJS.mjs MODEL.json INPUTS.f32 SHAPE OUTPUTS.json
// INPUTS.f32 holds one batch, SHAPE its dimensions as 1,256,256,3; OUTPUTS.json gets {name: [values]}.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [library, model, inputs, shape, outputs] = process.argv.slice(2);

// The published bundle is built for browsers: it fails where it believes itself in Node, and lacks
// a platform elsewhere.
Object.defineProperty(process, 'versions', { value: {} });
const tf = await import(pathToFileURL(library));
tf.env().setPlatform('bare', {
  now: () => performance.now(),
  isTypedArray: (value) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  encode: (text) => new TextEncoder().encode(text),
  decode: (text) => new TextDecoder().decode(text),
});
await tf.setBackend('cpu');

const description = JSON.parse(readFileSync(model, 'utf8'));
const files = description.weightsManifest.flatMap((group) => group.paths);
const bytes = Buffer.concat(files.map((name) => readFileSync(join(dirname(model), name))));
const graph = await tf.loadGraphModel({
  load: async () => ({
    modelTopology: description.modelTopology,
    weightSpecs: description.weightsManifest.flatMap((group) => group.weights),
    weightData: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    format: description.format,
  }),
});
const raw = readFileSync(inputs);
const values = new Float32Array(raw.buffer, raw.byteOffset, raw.byteLength / 4);
const names = graph.executor.graph.outputs.map((node) => node.name);
const tensors = graph.execute(tf.tensor(values, shape.split(',').map(Number)), names);
const answers = names.map((name, place) => [name, Array.from([tensors].flat()[place].dataSync())]);
writeFileSync(outputs, JSON.stringify(Object.fromEntries(answers)));
