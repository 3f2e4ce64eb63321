import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type ILoadOptionsFunctions,
  NodeApiError,
} from 'n8n-workflow'

type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions

export interface Refusal {
  readonly error_code: string
  readonly message: string
}

/** Requests an operation of the service. @returns the body of its response, or of a refusal that the caller knows what to do with */
export async function request(
  context: Context,
  method: IHttpRequestMethods,
  path: string,
  body?: IDataObject,
  known: readonly string[] = [],
): Promise<IDataObject> {
  const { url } = await context.getCredentials('mnemeApi')
  const response = await context.helpers.httpRequestWithAuthentication.call(context, 'mnemeApi', {
    method,
    baseURL: String(url).replace(/\/+$/, ''),
    url: path,
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    ...(body ? { body } : {}),
  })
  const { error_code, message } = response.body ?? {}
  if (response.statusCode < 400 || known.includes(error_code)) return response.body ?? {}
  throw new NodeApiError(context.getNode(), { ...response.body }, { httpCode: String(response.statusCode), message })
}
