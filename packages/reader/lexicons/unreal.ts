/** Wordings before a verb by which what it says is wished, planned, possible or supposed, and does not hold. */
export const UNREAL_WORDINGS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'nearly/almost',
    'want/wants/wanted',
    'would/might/may/could/can/should/must/shall/will',
    "'d/'ll/won't",
    'plan/plans/planned/planning',
    'hope/hopes/hoping',
    'consider/considers/considering',
    'think/thinks/thinking',
    'dream/dreams/dreaming',
    'wish/wishes',
    'going to',
    'try/tries/trying',
    'intend/intends',
    'if/whether',
    'like/love/about to',
  ],
  de: ['möchte/möchten/will/würde/würden/könnte/wollen'],
  es: ['quiero/quiere/quisiera/gustaría'],
  fr: ['voudrais/voudrait/veut/veux/aimerais/aimerait/pourrait'],
}
