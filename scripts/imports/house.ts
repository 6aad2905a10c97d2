/** From the ground up. What lies in one layer does not import its neighbours. */
export type Layers = readonly (readonly string[])[]

export type House = Readonly<Record<string, Layers>>

/** The packages with layers. Each name is a folder or a file directly under the package's `src`. */
export const house: House = {
  core: [
    ['env', 'errors', 'observation', 'html.ts', 'nearest.ts'],
    ['schema', 'database'],
    ['cache', 'clock'],
    ['infrastructure'],
    ['request'],
    ['bodies', 'http'],
    ['routes'],
    ['call', 'events'],
    ['jobs', 'proxy-guard', 'stream-client', 'streams'],
    ['asyncapi', 'contract-bundle', 'openapi', 'telemetry'],
    ['server'],
    ['client.ts', 'contract.ts', 'database.ts', 'env.ts', 'http.ts'],
    ['index.ts'],
  ],
  web: [
    ['configure-auth.ts', 'outage', 'proxy-guard'],
    ['front', 'proxy'],
    ['page', 'session'],
    ['csrf', 'env.ts'],
    ['web-auth.ts'],
    ['auth-operations', 'revoke-all'],
    ['dbsc'],
    ['auth-interceptors.ts', 'guards'],
    ['account'],
    ['consent', 'oauth'],
    ['bound-session.ts', 'forwarding.ts', 'next.ts', 'proxy.ts', 'react.ts', 'serve.ts'],
  ],
  cli: [
    ['env.ts', 'environment', 'failure.ts', 'flags.ts'],
    ['application', 'run', 'terminal.ts'],
    ['create', 'dev', 'doctor', 'keys', 'migrate', 'print-document.ts'],
    ['asyncapi', 'contract', 'db', 'generate', 'openapi', 'sign-out', 'start', 'users'],
    ['commands.ts'],
    ['help.ts'],
    ['command-line.ts'],
    ['main.ts'],
  ],
  notification: [
    ['templates'],
    ['delivery'],
    ['mail', 'sms'],
    ['env.ts'],
    ['create-delivery.ts'],
    ['create-notifier.ts', 'mailbox', 'mails'],
    ['index.ts'],
  ],
}
