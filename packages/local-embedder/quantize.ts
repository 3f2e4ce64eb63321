/**
 * Weights use 7 of int8's 8 bits. Without VNNI, x86 multiplies u8 by s8 and adds two products in 16 bits with
 * saturation: 2 * 255 * 127 overflows, 2 * 255 * 63 does not. So a vector does not depend on the CPU's generation, and
 * measured retrieval is that of float weights (see the README beside).
 * https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html (reduce_range)
 */
const QUANTIZED_MAX = 63

/** So many rows are turned into columns together, so that each cache line of the result is written once. */
const TILE_ROWS = 16

/**
 * Holds a weight matrix as ONNX's MatMulInteger wants it. `weight[o][i]` is about `values[i * outputs + o] *
 * scales[o]`.
 */
export interface QuantizedMatrix {
  /** [inputs, outputs], row by row. */
  readonly values: Int8Array
  /** [outputs] */
  readonly scales: Float32Array
}

/** Makes an empty matrix to be filled by {@link quantizeInto}. */
export function quantizedMatrix(inputs: number, outputs: number): QuantizedMatrix {
  return { values: new Int8Array(inputs * outputs), scales: new Float32Array(outputs) }
}

/**
 * Quantises `weight` ([rows, inputs], symmetric, one scale a row) and stores it transposed as the outputs
 * `firstOutput` and on of `target`. Several matrices can stand side by side there.
 */
export function quantizeInto(target: QuantizedMatrix, weight: Float32Array, inputs: number, firstOutput: number): void {
  const { values, scales } = target
  const outputs = scales.length
  const rows = weight.length / inputs
  const factors = new Float32Array(TILE_ROWS)
  for (let row = 0; row < rows; row += TILE_ROWS) {
    const count = Math.min(TILE_ROWS, rows - row)
    for (let i = 0; i < count; i++) {
      const scale = largestMagnitude(weight, (row + i) * inputs, inputs) / QUANTIZED_MAX || 1
      scales[firstOutput + row + i] = scale
      factors[i] = 1 / scale
    }
    for (let input = 0; input < inputs; input++) {
      const at = input * outputs + firstOutput + row
      for (let i = 0; i < count; i++) {
        const scaled = (weight[(row + i) * inputs + input] ?? 0) * (factors[i] ?? 0)
        // Rounds half up without a call: the sum is positive, so `| 0` is floor.
        values[at + i] = ((scaled + QUANTIZED_MAX + 0.5) | 0) - QUANTIZED_MAX
      }
    }
  }
}

function largestMagnitude(values: Float32Array, start: number, length: number): number {
  let largest = 0
  for (let i = start; i < start + length; i++) {
    const magnitude = Math.abs(values[i] ?? 0)
    if (magnitude > largest) largest = magnitude
  }
  return largest
}
