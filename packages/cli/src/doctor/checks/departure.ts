import { type Answer, ask, refusalOf, textOf } from '../ask.ts'
import { commonRefusal } from '../common-refusals.ts'
import { atApp, type Deployment } from '../deployment.ts'
import { type Explanation, type Finding, right, wrong } from '../finding.ts'

/** What a browser has when it leaves for a provider. */
export interface Departure {
  authUrl: URL
  setCookies: string[]
}

/**
 * Begins a sign-in as a page of the web app does, but doesn't follow the redirect to the provider.
 */
export async function* depart(
  deployment: Deployment,
  provider: string,
): AsyncGenerator<Finding, Departure | null> {
  const answer = await ask(atApp(deployment, '/api/rpc/getProviderOAuthUrl'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      origin: deployment.app.url.origin,
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ params: { provider }, body: { returnUrl: '/' } }),
  })
  const authUrl = URL.parse(textOf(answer.json, 'authUrl') ?? '')
  if (answer.status === 200 && authUrl) {
    yield right(`${provider}: a sign-in begins.`)
    return { authUrl, setCookies: answer.headers.getSetCookie() }
  }
  yield refused(provider, answer)
  return null
}

function refused(provider: string, answer: Answer): Finding {
  const refusal = refusalOf(answer.json)
  const common = refusal === 'ForbiddenError' ? null : commonRefusal(answer)
  if (common) return common
  const advice = refusal === null ? undefined : refusals[refusal]
  return wrong(`${provider}: no sign-in begins.`, {
    seen: answer.seen,
    ...(advice ?? nothingOfOurs(answer.status)),
  })
}

type Advice = Pick<Explanation, 'why' | 'fix'>

const refusals: Record<string, Advice> = {
  NotFoundError: {
    why: 'The proxy, or the API behind it, does not know the operation getProviderOAuthUrl or this provider.',
    fix: [
      'In app/api/rpc/[name]/route.ts, with authRouteMap of @svc/auth:',
      '  createRpcProxy({ routeMap: { ...routeMap, ...authRouteMap }, … })',
      'If that is there already, check that all instances of the API have the same providers.',
    ],
  },
  ForbiddenError: {
    why: 'With SVC_PROXY_GUARD=strict, the API accepts requests only with a valid signature of the web app.',
    fix: ['Set the same SVC_PROXY_SECRET for both, and check that their clocks agree.'],
  },
  ServiceUnavailableError: {
    why: 'The proxy of the web app got no response from the API, or the API got none from its database.',
    fix: [
      'Set SVC_API_URL for the web app to the address of the API, and look at the log of both.',
    ],
  },
}

function nothingOfOurs(status: number | null): Advice {
  if (status === 404) {
    return {
      why: 'Pages call the API through the proxy of the web app, but /api/rpc does not exist.',
      fix: [
        'In app/api/rpc/[name]/route.ts:',
        '  export const { GET, POST } = createRpcProxy({ routeMap, apiUrl, interceptors: [authInterceptors()] })',
      ],
    }
  }
  if (status !== null && status >= 300 && status < 400) {
    return {
      why: 'A page asks there for the address of the provider, and is redirected instead.',
      fix: [
        'Stop redirecting /api/rpc/. Look for example at the matcher of proxy.ts or middleware.ts.',
      ],
    }
  }
  return {
    why: 'A page asks there for the address of the provider, and gets none.',
    fix: ['Look at the log of the web app, and then at the log of the API.'],
  }
}
