import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BertConfig } from './bert-graph.ts'
import { bertEmbeddingModel, GRAPH_INPUT, GRAPH_OUTPUT, GRAPH_TOKENS } from './bert-graph.ts'
import { SafetensorsFile } from './safetensors.ts'
import type { ModelFiles } from './thread-protocol.ts'

/** Runs one forward pass over the ids of one window. */
export type EngineRun = (ids: Int32Array) => Promise<Pass>

export interface Pass {
  readonly vector: Float32Array
  /** The vectors of all tokens one after another, [CLS] and [SEP] included; left out by an engine that does not tell. */
  readonly tokens?: Float32Array
}

/**
 * Builds the int8 model in memory and opens a session on it.
 *
 * The runtime stays at 1.27: from 1.29 on it looks its vendor's collector up and keeps an id of the device in the user's home as soon as it is
 * loaded. `ORT_DISABLE_TELEMETRY` stops that only where it is set before the process starts. A test looks for the collector in the library.
 */
export async function loadOnnxEngine(
  runtime: typeof import('onnxruntime-node'),
  files: ModelFiles,
): Promise<EngineRun> {
  const { InferenceSession, Tensor } = runtime
  const session = await InferenceSession.create(buildModel(files), {
    // More threads are slower as soon as another one of the process needs the core.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    extra: { session: { model_external_initializers_file_folder_path: dirname(files.weightsPath) } },
  })
  return async ids => {
    const outputs = await session.run({ [GRAPH_INPUT]: new Tensor('int32', ids, [1, ids.length]) })
    const [vector, tokens] = [outputs[GRAPH_OUTPUT]?.data, outputs[GRAPH_TOKENS]?.data]
    if (!(vector instanceof Float32Array && tokens instanceof Float32Array))
      throw new Error('the model gave no float vectors')
    return { vector: vector.slice(), tokens }
  }
}

function buildModel(files: ModelFiles): Uint8Array {
  const weights = new SafetensorsFile(files.weightsPath)
  try {
    return bertEmbeddingModel(weights, readConfig(files.configPath))
  } finally {
    weights.close()
  }
}

function readConfig(path: string): BertConfig {
  const config: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const number = (name: string): number => {
    const value: unknown = Object(config)[name]
    if (typeof value !== 'number') throw new Error(`${path} has no number ${name}`)
    return value
  }
  return {
    hiddenSize: number('hidden_size'),
    attentionHeads: number('num_attention_heads'),
    layers: number('num_hidden_layers'),
    layerNormEpsilon: number('layer_norm_eps'),
  }
}
