import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

export class MnemeApi implements ICredentialType {
  name = 'mnemeApi'
  displayName = 'Mneme API'
  icon = 'file:../nodes/Mneme/mneme.svg' as const
  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      default: 'http://127.0.0.1:3000',
      required: true,
      description: 'Where the service is, as n8n reaches it',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A key with the permissions memory.read and memory.write; the trigger needs those of webhooks, too',
    },
  ]
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-Api-Key': '={{$credentials.apiKey}}' } },
  }
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url}}', url: '/v1/memories', qs: { page_size: 1 } },
  }
}
