/**
 * Runs networks without tfjs's interpreter, which takes a third of a look's time: the first run notes the
 * kernels' calls into WebAssembly, and all others repeat them, in the same memory.
 */
import type { BackendWasm } from "@tensorflow/tfjs-backend-wasm";
import type { GraphModel } from "@tensorflow/tfjs-converter";
import { backend, getKernelsForBackend, tensor, type Tensor } from "@tensorflow/tfjs-core";

type Call = (...given: unknown[]) => unknown;

/** What the types leave out of the backend's module. */
interface Memory {
  cwrap: (...named: unknown[]) => Call;
  _malloc: (bytes: number) => number;
  _free: (address: number) => void;
  tfjs: { disposeData: (id: number) => void };
}

/** Write the input with `fill`, and return the outputs. */
export type Network = (fill: (levels: Float32Array) => void) => Float32Array[];

const memoryOf = (wasm: BackendWasm): Memory => wasm.wasm as unknown as Memory;

let noted: (() => unknown)[] | null = null;
// What the networks' levels have used and a later level may use; never given back.
const spare: { address: number; bytes: number }[] = [];

/** Let calls be noted, once the backend has begun. */
export function noteCalls(): void {
  const wasm = backend() as BackendWasm;
  const memory = memoryOf(wasm);
  const { cwrap } = memory;
  memory.cwrap = (...named) => {
    const call = cwrap(...named);
    return (...given) => {
      noted?.push(() => call(...given));
      return call(...given);
    };
  };
  // They ask for the functions that they call once.
  for (const { setupFunc } of getKernelsForBackend("wasm")) setupFunc?.(wasm);
}

/**
 * `shape`: of the input; `outputs` are of kernels that WebAssembly runs: the script itself copies those of
 * "Identity", which no noted call repeats.
 */
export function record(model: GraphModel, input: string, shape: number[], outputs: string[]): Network {
  const wasm = backend() as BackendWasm;
  const memory = memoryOf(wasm);
  const levels = tensor(new Float32Array(shape.reduce((all, each) => all * each)), shape);
  const { _malloc, _free, tfjs } = memory;
  const lengths = new Map<number, number>();
  const calls: (() => unknown)[] = [];
  memory._malloc = (bytes) => {
    const [fit] = spare.filter((each) => each.bytes >= bytes).sort((one, other) => one.bytes - other.bytes);
    if (fit) spare.splice(spare.indexOf(fit), 1);
    const address = fit?.address ?? _malloc(bytes);
    lengths.set(address, fit?.bytes ?? bytes);
    return address;
  };
  memory._free = (address) => spare.push({ address, bytes: lengths.get(address)! });
  // The noted calls name their inputs and outputs by these ids.
  memory.tfjs = { ...tfjs, disposeData: () => undefined };
  noted = calls;
  let answers: Tensor[];
  try {
    answers = model.execute({ [input]: levels }, outputs) as Tensor[];
  } finally {
    noted = null;
    Object.assign(memory, { _malloc, _free, tfjs });
  }
  return (fill) => {
    fill(wasm.typedArrayFromHeap(levels) as Float32Array);
    for (const call of calls) call();
    return answers.map((answer) => answer.dataSync() as Float32Array);
  };
}
