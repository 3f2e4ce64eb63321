import { basename } from 'node:path'
import { OnnxGraph } from './onnx-writer.ts'
import { quantizedMatrix, quantizeInto } from './quantize.ts'
import type { SafetensorsFile } from './safetensors.ts'

/** The graph depends on these values of a BERT's `config.json`. */
export interface BertConfig {
  readonly hiddenSize: number
  readonly attentionHeads: number
  readonly layers: number
  readonly layerNormEpsilon: number
}

/** Names the graph's input (int32 [1, tokens]) and outputs: float32 [1, hiddenSize] of length 1, and [1, tokens, hiddenSize]. */
export const GRAPH_INPUT = 'input_ids'
export const GRAPH_OUTPUT = 'embedding'
export const GRAPH_TOKENS = 'token_states'

/**
 * Builds a BERT sentence encoder (mean pooling, L2 norm) as an ONNX model: int8 linear layers, the rest in float32, the
 * word table left in the weights file. It takes one text a run, because activations are quantised with one scale over
 * the whole input (DynamicQuantizeLinear): in a batch a text's vector would depend on its neighbours. So there is no
 * padding either, and no attention mask.
 */
export function bertEmbeddingModel(weights: SafetensorsFile, config: BertConfig): Uint8Array {
  return new BertGraph(weights, config).build()
}

class BertGraph {
  readonly #graph = new OnnxGraph()
  readonly #weights: SafetensorsFile
  readonly #config: BertConfig

  constructor(weights: SafetensorsFile, config: BertConfig) {
    this.#weights = weights
    this.#config = config
  }

  build(): Uint8Array {
    const graph = this.#graph
    const ids = graph.input(GRAPH_INPUT, 'int32', [1, 'tokens'])
    let states = this.#embed(ids)
    for (let layer = 0; layer < this.#config.layers; layer++) states = this.#layer(states, `encoder.layer.${layer}`)
    // The mean's divisor cancels out in the normalisation, so the sum over the tokens is enough.
    const sum = graph.node('ReduceSum', [states, graph.integers(1)], { keepdims: 0 })
    graph.alias(graph.node('LpNormalization', [sum], { axis: -1, p: 2 }), GRAPH_OUTPUT)
    graph.output(GRAPH_OUTPUT, 'float32', [1, this.#config.hiddenSize])
    graph.alias(states, GRAPH_TOKENS)
    graph.output(GRAPH_TOKENS, 'float32', [1, 'tokens', this.#config.hiddenSize])
    return graph.toBytes()
  }

  /** Adds word, position and token type 0. Only the rows that are read leave half precision. */
  #embed(ids: string): string {
    const graph = this.#graph
    const name = 'embeddings.word_embeddings.weight'
    const { shape, offset, length } = this.#weights.entry(name)
    const place = { file: basename(this.#weights.path), offset, length }
    const words = this.#toFloat(graph.node('Gather', [graph.constantInFile(name, 'float16', shape, place), ids]))
    const type = this.#weights.floats('embeddings.token_type_embeddings.weight')
    const hidden = this.#config.hiddenSize
    const positions = this.#weights.floats('embeddings.position_embeddings.weight')
    const table = positions.map((value, index) => value + (type[index % hidden] ?? 0))
    const rows = graph.constant('positions', 'float32', [table.length / hidden, hidden], table)
    const count = graph.node('Shape', [ids], { start: 1, end: 2 })
    const used = graph.node('Slice', [rows, graph.integers(0), count, graph.integers(0)])
    return this.#addAndNorm(words, used, 'embeddings.LayerNorm')
  }

  #layer(input: string, prefix: string): string {
    const attended = this.#linear(this.#attention(input, prefix), [`${prefix}.attention.output.dense`])
    const states = this.#addAndNorm(attended, input, `${prefix}.attention.output.LayerNorm`)
    const inner = this.#graph.node('Gelu', [this.#linear(states, [`${prefix}.intermediate.dense`])])
    return this.#addAndNorm(this.#linear(inner, [`${prefix}.output.dense`]), states, `${prefix}.output.LayerNorm`)
  }

  #attention(input: string, prefix: string): string {
    const graph = this.#graph
    const { hiddenSize, attentionHeads } = this.#config
    const headSize = hiddenSize / attentionHeads
    const names = ['query', 'key', 'value'].map(name => `${prefix}.attention.self.${name}`)
    const joint = this.#linear(input, names)
    const [query = '', key = '', value = ''] = graph.nodeWithOutputs('Split', [joint], 3, { axis: -1, num_outputs: 3 })
    const heads = (states: string, perm: readonly number[]) => {
      const split = graph.node('Reshape', [states, graph.integers(0, 0, attentionHeads, headSize)])
      return graph.node('Transpose', [split], { perm })
    }
    const products = graph.node('MatMul', [heads(query, [0, 2, 1, 3]), heads(key, [0, 2, 3, 1])])
    const scores = graph.node('Div', [products, graph.scalar(Math.sqrt(headSize))])
    const probabilities = graph.node('Softmax', [scores], { axis: -1 })
    const context = graph.node('MatMul', [probabilities, heads(value, [0, 2, 1, 3])])
    const rows = graph.node('Transpose', [context], { perm: [0, 2, 1, 3] })
    return graph.node('Reshape', [rows, graph.integers(0, 0, hiddenSize)])
  }

  /** Computes one int8 product for all named linear layers; their outputs stand side by side in the last dimension. */
  #linear(input: string, names: readonly string[]): string {
    const graph = this.#graph
    const { weight, scale, bias } = this.#quantizedConstants(names)
    const [values = '', inputScale = '', zero = ''] = graph.nodeWithOutputs('DynamicQuantizeLinear', [input], 3)
    const product = this.#toFloat(graph.node('MatMulInteger', [values, weight, zero]))
    const scaled = graph.node('Mul', [product, graph.node('Mul', [inputScale, scale])])
    return graph.node('Add', [scaled, bias])
  }

  #quantizedConstants(names: readonly string[]): { weight: string; scale: string; bias: string } {
    const graph = this.#graph
    const shapes = names.map(name => this.#weights.entry(`${name}.weight`).shape)
    const inputs = shapes[0]?.[1] ?? 0
    const outputs = shapes.reduce((sum, [rows = 0]) => sum + rows, 0)
    const matrix = quantizedMatrix(inputs, outputs)
    const bias = new Float32Array(outputs)
    let firstOutput = 0
    for (const [index, name] of names.entries()) {
      quantizeInto(matrix, this.#weights.floats(`${name}.weight`), inputs, firstOutput)
      bias.set(this.#weights.floats(`${name}.bias`), firstOutput)
      firstOutput += shapes[index]?.[0] ?? 0
    }
    const label = names.join('+')
    return {
      weight: graph.constant(`${label}.weight`, 'int8', [inputs, outputs], matrix.values),
      scale: graph.constant(`${label}.scale`, 'float32', [outputs], matrix.scales),
      bias: graph.constant(`${label}.bias`, 'float32', [outputs], bias),
    }
  }

  #addAndNorm(a: string, b: string, name: string): string {
    const sum = this.#graph.node('Add', [a, b])
    const epsilon = { float: this.#config.layerNormEpsilon }
    const weight = this.#floatConstant(`${name}.weight`)
    const bias = this.#floatConstant(`${name}.bias`)
    return this.#graph.node('LayerNormalization', [sum, weight, bias], { axis: -1, epsilon })
  }

  #floatConstant(name: string): string {
    return this.#graph.constant(name, 'float32', this.#weights.entry(name).shape, this.#weights.floats(name))
  }

  #toFloat(value: string): string {
    return this.#graph.node('Cast', [value], { to: 1 })
  }
}
