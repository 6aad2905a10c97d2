import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { onPageFailure, type PageFailure } from '../outage/page-failure.ts'

interface Page {
  failure?: PageFailure
}

const pages = new AsyncLocalStorage<Page>()

onPageFailure((failure) => {
  const page = pages.getStore()
  if (page) page.failure = failure
})

/**
 * Next answers 500 when a page throws any error. If the API is down, this makes it 503: nothing is broken here, and a
 * monitor, a crawler or a browser may retry. If the API refused the page, it is the status of that refusal. A page that
 * says itself that it is refused has this status in place of 200.
 */
export function answerFailure<Result>(outgoing: ServerResponse, answer: () => Result): Result {
  const page: Page = {}
  const writeHead = outgoing.writeHead.bind(outgoing)
  outgoing.writeHead = (status: number, ...rest: never[]) => {
    const failure = isInPlace(page, status, outgoing) ? page.failure : undefined
    // As the API says it of its own dependencies.
    if (failure?.status === 503) outgoing.setHeader('retry-after', failure.retryAfter ?? '5')
    return writeHead(failure?.status ?? status, ...rest)
  }
  return pages.run(page, answer)
}

function isInPlace({ failure }: Page, status: number, outgoing: ServerResponse) {
  if (failure?.insteadOf !== status) return false
  // Next's router asks for a page as data, and would load it again if that had the status of a refusal.
  return status === 500 || String(outgoing.getHeader('content-type')).startsWith('text/html')
}
