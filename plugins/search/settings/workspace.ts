import { Type } from '@sinclair/typebox'
import { defineSetting, type WorkspaceSetting } from 'mneme/plugin'
import { searchQualityTarget } from '../contract.ts'

/** The language in which all texts of a workspace are analysed; null detects it per text. */
export const textLanguage = defineSetting({
  key: 'language',
  schema: Type.String({
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$',
    description:
      'Language in which texts are analysed; null: detected for each text. A change re-indexes the memories in the background.',
    errorMessage: 'must be a language tag such as de or pt-BR',
  }),
})

export const searchSettings: readonly WorkspaceSetting[] = [searchQualityTarget, textLanguage]
