import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { onOutage } from '../outage/watched-fetch.ts'

interface Page {
  /** Set when the API did not answer: seconds until a retry. */
  retryAfter?: string
}

const pages = new AsyncLocalStorage<Page>()

onOutage((retryAfter) => {
  const page = pages.getStore()
  // As the API says it of its own dependencies.
  if (page) page.retryAfter = retryAfter ?? '5'
})

/**
 * Next answers 500 when a page throws any error. If the API is down, this makes it 503: nothing is broken here, and a
 * monitor, a crawler or a browser may retry.
 */
export function answerOutage<Result>(outgoing: ServerResponse, answer: () => Result): Result {
  const page: Page = {}
  const writeHead = outgoing.writeHead.bind(outgoing)
  outgoing.writeHead = (status: number, ...rest: never[]) => {
    const isOutage = status === 500 && page.retryAfter !== undefined
    if (isOutage) outgoing.setHeader('retry-after', page.retryAfter ?? '')
    return writeHead(isOutage ? 503 : status, ...rest)
  }
  return pages.run(page, answer)
}
