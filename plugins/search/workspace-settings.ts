import { Type } from '@sinclair/typebox'
import { defineSetting, type WorkspaceSetting } from 'mneme/plugin'

/** The language that a workspace's texts are read in; null: each in its own. */
export const textLanguage = defineSetting({
  key: 'language',
  schema: Type.String({
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$',
    description: 'Language of the memories.',
    errorMessage: 'must be a language tag such as de or pt-BR',
  }),
})

const searchQualityTarget = defineSetting({
  key: 'targets.search_quality',
  schema: Type.Number({ minimum: 0, maximum: 1, description: 'Average score of searches to aim at.' }),
})

export const searchSettings: readonly WorkspaceSetting[] = [searchQualityTarget, textLanguage]
