import type { TemplateContent, TemplateMemory, Variable } from './template.ts'

/** A template that comes with the service; a workspace copies it to apply or change it. */
export interface BuiltInTemplate extends TemplateContent {
  /** Names it in paths. Kept for ever. */
  readonly key: string
}

const needed = (name: string): Variable => ({ name, required: true, default: null })
const usually = (name: string, value: string): Variable => ({ name, required: false, default: value })
const memory = (
  text: string,
  category: string,
  priority: TemplateMemory['priority'] = 'MEDIUM',
  layer: TemplateMemory['layer'] = 'RAW',
): TemplateMemory => ({ memory: text, categories: [category], priority, metadata: null, layer })

/** One sentence a memory, each with its subject, so that search, graph and knowledge read them as what a person would say. */
export const builtInTemplates: readonly BuiltInTemplate[] = [
  {
    key: 'user-onboarding',
    name: 'User onboarding',
    description: 'Gives an assistant a first picture of a new user: name, language, place, work and how to answer.',
    variables: [
      needed('name'),
      usually('language', 'English'),
      needed('city'),
      needed('role'),
      needed('company'),
      usually('answer_style', 'short and direct'),
    ],
    memories: [
      memory('My name is {{name}}.', 'personal', 'HIGH'),
      memory('{{name}} lives in {{city}}.', 'personal'),
      memory('{{name}} works at {{company}} as {{role}}.', 'work_context', 'HIGH'),
      memory('{{name}} speaks {{language}} and wants answers in {{language}}.', 'communication_style', 'HIGH'),
      memory('{{name}} prefers {{answer_style}} answers.', 'communication_style'),
      memory('{{name}} has just been introduced to the assistant; ask about open questions.', 'goals', 'LOW', 'TASK'),
    ],
  },
  {
    key: 'customer-account',
    name: 'Customer account',
    description: 'The facts that a support agent needs of a customer: plan, contact, contract and how to reach them.',
    variables: [
      needed('customer'),
      needed('contact'),
      needed('plan'),
      usually('support_channel', 'e-mail'),
      needed('renewal_date'),
      usually('account_manager', 'the support team'),
    ],
    memories: [
      memory('{{customer}} is a customer on the {{plan}} plan.', 'work_context', 'HIGH'),
      memory('The contact person at {{customer}} is {{contact}}.', 'relationships', 'HIGH'),
      memory('{{contact}} works at {{customer}}.', 'relationships'),
      memory('{{customer}} wants to be reached by {{support_channel}}.', 'preferences'),
      memory('The contract of {{customer}} renews on {{renewal_date}}.', 'work_context', 'HIGH'),
      memory('{{account_manager}} looks after {{customer}}.', 'relationships'),
    ],
  },
  {
    key: 'software-project',
    name: 'Software project',
    description: 'What a coding agent should know of a repository: its stack, its commands, its rules and its owner.',
    variables: [
      needed('project'),
      needed('language'),
      needed('database'),
      needed('test_command'),
      usually('branch', 'main'),
      needed('owner'),
      usually('style_guide', 'the formatter of the repository'),
    ],
    memories: [
      memory('{{project}} is written in {{language}}.', 'tech_stack', 'HIGH'),
      memory('{{project}} uses {{database}}.', 'tech_stack', 'HIGH'),
      memory('The tests of {{project}} run with `{{test_command}}`.', 'tech_stack', 'HIGH'),
      memory('Changes to {{project}} go to the branch {{branch}} through a reviewed pull request.', 'work_context'),
      memory('{{owner}} is responsible for {{project}}.', 'relationships'),
      memory('Code of {{project}} follows {{style_guide}}.', 'preferences'),
    ],
  },
]
