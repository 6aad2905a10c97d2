import { app } from './running-web-app.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** What an agent sends to an endpoint of the authorization server. */
export async function post(path: string, form: Record<string, string>) {
  const body = new URLSearchParams(form)
  const answer = await fetch(`${app.web}/_auth/oauth2/${path}`, { method: 'POST', body })
  return (await answer.json()) as Record<string, string>
}

/** A program without a browser, and the code that it shows. */
export async function startTerminal() {
  const { body } = await app.api.call('registerOAuth2Client', {
    client_name: 'Deploy bot',
    grant_types: [grantType],
    token_endpoint_auth_method: 'none',
  })
  const client_id = body.client_id as string
  const shown = await post('device_authorization', { client_id, scope: 'notice:read' })
  const { device_code = '' } = shown
  const poll = () => post('token', { grant_type: grantType, client_id, device_code })
  return { shown, poll }
}
