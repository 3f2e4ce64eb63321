import { expect, test } from 'bun:test'
import { coreConfig, requireConfig } from '../config.ts'
import { Witness } from '../models/language/language-model.conformance.ts'
import { openLanguageModel } from './services.ts'

test.each([
  [{}, 'none', false],
  [{ ANTHROPIC_API_KEY: 'sk-ant-1' }, 'none', false],
  [{ ANTHROPIC_API_KEY: 'sk-ant-1', ANTHROPIC_BASE_URL: 'http://gateway.test/v1' }, 'none', false],
  [{ LANGUAGE_MODEL: 'claude', ANTHROPIC_API_KEY: 'sk-ant-1' }, 'claude/claude-haiku-5-5', true],
  [
    {
      LANGUAGE_MODEL: 'claude',
      ANTHROPIC_API_KEY: 'sk-ant-1',
      ANTHROPIC_MODEL: 'claude-sonnet-5-5',
      ANTHROPIC_BASE_URL: 'http://gateway.test/v1',
    },
    'claude/claude-sonnet-5-5',
    true,
  ],
  [
    { LANGUAGE_MODEL: 'http', LANGUAGE_MODEL_URL: 'http://localhost:11434', LANGUAGE_MODEL_NAME: 'qwen3:8b' },
    'http/qwen3:8b',
    true,
  ],
  [{ LANGUAGE_MODEL: 'none', ANTHROPIC_API_KEY: 'sk-ant-1' }, 'none', false],
])('the settings %j name the language model', async (environment, modelId, available) => {
  const model = await openLanguageModel(requireConfig(coreConfig, environment), new Witness())
  expect([model.modelId, model.available()]).toEqual([modelId, available])
  await model.close()
})
