import type { MarkdownRenderer } from 'vitepress'

/** A column without a name has no header: a reader of the page would be told of one that says nothing. */
export function emptyHeaders(markdown: MarkdownRenderer) {
  markdown.core.ruler.push('empty-headers', ({ tokens }) => {
    for (const [place, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[place + 1]?.content !== '') continue
      token.tag = 'td'
      const close = tokens[place + 2]
      if (close) close.tag = 'td'
    }
  })
}
