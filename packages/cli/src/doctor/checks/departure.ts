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
      'If it is there: all instances of the API must have the same providers.',
    ],
  },
  ForbiddenError: {
    why: 'With SVC_PROXY_GUARD=strict the API believes the web app only by its signature.',
    fix: ['Give both the same SVC_PROXY_SECRET, and see that their clocks agree.'],
  },
  ServiceUnavailableError: {
    why: 'The proxy of the web app got no answer from the API, or the API from its database.',
    fix: [
      'Set SVC_API_URL for the web app to where it finds the API, and look at the log of both.',
    ],
  },
}

function nothingOfOurs(status: number | null): Advice {
  if (status === 404) {
    return {
      why: 'Pages call the API through the proxy of the web app, and there is none at /api/rpc.',
      fix: [
        'In app/api/rpc/[name]/route.ts:',
        '  export const { GET, POST } = createRpcProxy({ routeMap, apiUrl, interceptors: [authInterceptors()] })',
      ],
    }
  }
  if (status !== null && status >= 300 && status < 400) {
    return {
      why: 'A page asks there for the address of the provider, and gets another page instead.',
      fix: [
        'Leave /api/rpc/ out of what redirects, such as the matcher of proxy.ts or middleware.ts.',
      ],
    }
  }
  return {
    why: 'A page asks there for the address of the provider, and gets none.',
    fix: ['Look at the log of the web app, and then at that of the API.'],
  }
}
