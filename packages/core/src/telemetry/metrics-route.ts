import { createHash, timingSafeEqual } from 'node:crypto'
import { UnauthorizedError } from '../errors/contract.ts'
import { TextAnswer } from '../request/client.ts'
import { defineRouter, route } from '../routes/contract.ts'
import { routeTable, type TableRow } from '../routes/routes.ts'

interface Given {
  token: string
  contentType: string
  text: () => Promise<string>
}

/** `GET /_ops/metrics` for whoever has the token, directly: what collects metrics comes through no web app. */
export function metricsRows({ token, contentType, text }: Given): TableRow[] {
  const expected = digest(token)
  const metrics = route
    .get('/_ops/metrics')
    .errors(UnauthorizedError)
    .describe({ summary: 'What the server counts, in the text format of Prometheus.' })
    .handler(async (c) => {
      c.raw.header('cache-control', 'no-store')
      const [, shown = ''] = /^Bearer (.*)$/i.exec(c.raw.req.header('authorization') ?? '') ?? []
      // Digests have one length, so that not even that of the token shows in the time it takes.
      if (!timingSafeEqual(expected, digest(shown))) throw new UnauthorizedError()
      return new TextAnswer(200, await text(), contentType)
    })
  const rows = routeTable(defineRouter({ opsMetrics: metrics }, { owns: '/_ops/' }))
  return rows.map((row) => ({ ...row, unguarded: true }))
}

function digest(text: string) {
  return createHash('sha256').update(text).digest()
}
