import { BE, FORMER, GAVE_UP, NOTE, NOW, ORG, PERSON, type Rule } from './rule.ts'

const FIRED = '(?:fired|sacked|dismissed|axed|canned|booted|terminated|furloughed)'

/** Phrases for the begin, the end and the return of a job. */
export const ENGLISH_JOBS: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: `(?:my|our)${FORMER}<2> (?:job|position|role|gig|workplace|post|office) is(?: ${NOW})? <1> (?:at|with) <O>`,
    target: ORG,
    user: true,
  },

  {
    type: 'WORKS_AT',
    says: `<S> 's${FORMER}<1> (?:employer|company|workplace|firm) <1> (?:is|:) <F><O>`,
    target: ORG,
    bound: true,
  },
  {
    type: 'WORKS_AT',
    says: `${NOTE}(?:employer|company|workplace|work|job|works at|works for|working at)(?: is)? :<2>`,
    target: ORG,
    user: true,
  },
  {
    type: 'WORKS_AT',
    says: `${BE} <2> on <2> (?:payroll|staff|books|team) (?:of|at) <F><O>`,
    target: ORG,
    strict: true,
  },

  {
    type: 'WORKS_AT',
    says: '(?:draws?|drawing|gets?|getting|earns?|earning|collects?) <2> (?:salary|pay|paycheck|wage|wages|living|money) (?:from|at)',
    target: ORG,
  },
  {
    type: 'WORKS_AT',
    says: '<O> <1> (?:pays|is paying) (?:my|our) (?:salary|wages|bills|rent|paycheck)',
    target: ORG,
    user: true,
    strict: true,
  },

  { type: 'WORKS_AT', says: '<O> <1> (?:took|has taken|brought|hired) <S> (?:back|on|in)', target: ORG, bound: true },
  {
    type: 'WORKS_AT',
    says: '(?:jumped ship|moved on|gone over|went over|crossed over|defected|transferred|moved over|jumped|moved|went|gone) <1> from <M> to <O>',
    target: ORG,
    strict: true,
    change: 'employers',
  },
  {
    type: 'WORKS_AT',
    says: '(?:jumped ship|gone over|went over|crossed over|defected) to',
    target: ORG,
    strict: true,
  },

  {
    type: 'WORKS_AT',
    // "Started climbing at" names what somebody does there, and no employer.
    says: '(?:started|starts|starting|start|began|begun)(?! (?:my|his|her|their) career)(?! \\S+ing ) <3> (?:at|with) <O>',
    target: ORG,
    strict: true,
  },
  {
    type: 'WORKS_AT',
    says: '(?<=^ (?:(?:my|finished|just|survived|had|completed) ){0,3})first (?:day|week|month) (?:at|with) <O>',
    target: ORG,
    user: true,
  },
  {
    type: 'WORKS_AT',
    says: `${GAVE_UP} <F><M> <1> (?:for|in favou?r of|in exchange for) <O>`,
    target: ORG,
    strict: true,
    change: 'employers',
  },
  {
    type: 'WORKS_AT',
    says: "(?:left|leaving|quit|resigned from|(?:handed|put|turned) in <1> notice (?:at|to)|gave <1> notice (?:at|to)|parted ways with|finished (?:at|with)|done with) <M> <2>(?: ,| ;| and| to)(?: and)?(?: she| he| i)? <1> (?:went|go|gone|moved|headed|am|'m|is|'s|are|works?|started|joined)(?: now| over| on)?(?: to| for| with| at)? <O>",
    target: ORG,
    strict: true,
    change: 'employers',
  },
  {
    type: 'WORKS_AT',
    says: '(?:gave up|left|quit|traded|swapped) <4> (?:at|with) <M> for <2> (?:one |a job |a role |a position )?(?:at|with) <O>',
    target: ORG,
    strict: true,
  },
  {
    type: 'WORKS_AT',
    says: '<O> (?:made|gave|offered) <6> (?:offer|job|role|position|more)(?: ,)? (?:and|which|that|so) (?:i|we) <1> (?:accepted|took|said yes|signed|joined)',
    target: ORG,
    user: true,
  },
  {
    type: 'WORKS_AT',
    says: '(?:accepted|took|taken|signed|accepting|taking) <3> (?:offer|contract|job|role|position|post) (?:from|at|with|of)',
    target: ORG,
  },
  {
    type: 'WORKS_AT',
    says: '(?:returned|went back|gone back|come back|came back|coming back|moved back) <1> (?:to work )?(?:to|for|at) <O>',
    target: ORG,
    strict: true,
  },

  {
    type: 'WORKS_AT',
    says: '(?:second|third|another) (?:time|stint|round|spell) <1> (?:at|with) <O>',
    target: ORG,
    user: true,
  },

  {
    type: 'WORKS_AT',
    says: '<S> from <O> (?:called|emailed|wrote|said|says|asked|sent|pinged|messaged|told|joined|suggested|mentioned|confirmed|replied|phoned|will|wants)',
    target: ORG,
    bound: true,
    strict: true,
  },

  {
    type: 'WORKS_AT',
    says: '(?:let|laid|made) <F><O> (?:go|off|redundant)',
    target: PERSON,
    source: ORG,
    inverse: true,
    closes: true,
  },
  {
    type: 'WORKS_AT',
    says: `<O> <1> (?:let|laid|made|has let|has laid|just let) <1> (?:me|us|my team|our team) (?:go|off|redundant)`,
    target: ORG,
    user: true,
    closes: true,
  },

  {
    type: 'WORKS_AT',
    says: `<O> <1> (?:laid off|let go|cut|${FIRED.slice(3)} .{3,40} (?:me|myself) (?:included|too|as well|among them)`,
    target: ORG,
    user: true,
    closes: true,
  },

  {
    type: 'WORKS_AT',
    says: `(?:${FIRED.slice(3, -1)}|laid off|let go|made redundant|dismissed|released) <2> (?:by|from|at)`,
    target: ORG,
    closes: true,
  },
  {
    type: 'WORKS_AT',
    says: '(?:got|given|was given|been given|getting) the (?:sack|boot|axe|chop|push) (?:at|from|by)',
    target: ORG,
    closes: true,
  },
  {
    type: 'WORKS_AT',
    says: '(?:walked out of|walked out on|walked away from|parted ways with|parted company with|bowed out of|moved on from|retired from|resigned at|resigned from <2> (?:at|with))',
    target: ORG,
    closes: true,
    strict: true,
  },
]
