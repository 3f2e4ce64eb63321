import { defineSetting, text } from 'mneme/plugin'

const CHARACTERS_MAX = 2_000

/** A workspace's own words on what is worth keeping, told to the language model beside its task. */
export const conversationInstructions = defineSetting({
  key: 'conversation_instructions',
  schema: text({
    minLength: 1,
    maxLength: CHARACTERS_MAX,
    notBlank: true,
    description:
      'What the language model is to keep of conversations and what to leave out, in plain words. What is read without a model, as while it is away, is kept as ever.',
    examples: ['Keep what customers say about our products and their orders. Leave out their health.'],
  }),
})
