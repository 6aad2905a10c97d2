import { createHash } from 'node:crypto'

/**
 * Looks for new messages while the page is seen. The list is replaced only if it has changed, and a link in it that had
 * the focus has it again. What the server sends is parsed, and nothing in it runs.
 */
export const lookAgain = `
const news = document.getElementById('news')
const links = (list) => [...list.querySelectorAll('a')]
const away = 'The server does not answer. This page goes on looking.'
let looking = false

function tell(words) {
  if (news.textContent !== words) news.textContent = words
}

function show(next) {
  const list = document.getElementById('messages')
  if (!next || next.innerHTML === list.innerHTML || !getSelection().isCollapsed) return
  const known = new Set(links(list).map(({ href }) => href))
  const focused = list.contains(document.activeElement) ? document.activeElement.href : null
  const shown = document.importNode(next, true)
  list.replaceWith(shown)
  links(shown).find(({ href }) => href === focused)?.focus({ preventScroll: true })
  const { length } = links(shown).filter(({ href }) => !known.has(href))
  tell(length === 0 ? '' : length === 1 ? '1 new message.' : length + ' new messages.')
}

async function look() {
  if (looking || document.visibilityState === 'hidden') return
  looking = true
  try {
    const answer = await fetch(location.pathname)
    if (!answer.ok) throw new Error()
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (news.textContent === away) tell('')
    show(page.getElementById('messages'))
  } catch {
    tell(away)
  }
  looking = false
}

setInterval(look, 5000)
document.addEventListener('visibilitychange', look)
`

/** Names the one script that may run, for a content security policy. */
export const lookAgainSource = `'sha256-${createHash('sha256').update(lookAgain).digest('base64')}'`
