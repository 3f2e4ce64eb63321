import type { Database } from '../../../core/db/database.ts'
import type { EmbedderInfo } from '../../../core/models/embedder.ts'
import type { ModelId } from '../engine/engine.ts'

/** The number under which an embedder's vectors are stored; it is asked for outside of transactions. */
export class EmbeddingModel {
  #id: Promise<ModelId> | undefined

  constructor(
    private readonly database: Database,
    private readonly embedder: EmbedderInfo,
  ) {}

  id(): Promise<ModelId> {
    this.#id ??= this.#register().catch(error => {
      this.#id = undefined
      throw error
    })
    return this.#id
  }

  #register(): Promise<ModelId> {
    const { modelId, dimensions } = this.embedder
    return this.database.system(async tx => {
      const find = () => tx<{ id: number }[]>`
        select model.id
        from search.model
        where model.model_id = ${modelId}
          and model.dimensions = ${dimensions}`
      const [known] = await find()
      if (known) return known.id
      await tx`
        insert into search.model (model_id, dimensions)
        values (${modelId}, ${dimensions})
        on conflict on constraint model_unique do nothing`
      const [added] = await find()
      if (!added) throw new Error(`the model ${modelId} could not be registered`)
      return added.id
    })
  }
}
