import { Type } from '@sinclair/typebox'
import { defineSetting, type WorkspaceSetting } from 'mneme/plugin'

/** The language in which all texts of a workspace are analysed; null detects it per text. */
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
  schema: Type.Number({ minimum: 0, maximum: 1, description: 'Target for the average score of searches.' }),
})

export const searchSettings: readonly WorkspaceSetting[] = [searchQualityTarget, textLanguage]
