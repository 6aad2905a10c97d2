// Runs in a page of another origin: what such a page can do to make a browser call the web app.

const json = JSON.stringify({ body: {} })

/** Formed like a token. */
const planted = '0'.repeat(64)

/** A browser without CORS in its way sends these as they are; with a header or a type of its own it asks first. */
const fetched = (init: RequestInit) => (url: string) =>
  fetch(url, { method: 'POST', credentials: 'include', body: json, ...init }).catch(() => {})

const typed = (type: string, init: RequestInit = {}) =>
  fetched({ ...init, headers: { 'content-type': type } })

/** In text/plain the names and values of a form make up the JSON that the proxy reads. */
function submitted(enctype: string, target = inFrame) {
  return (url: string) => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'POST', action: url, enctype, target: target() })
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name: '{"body":{"a":"', value: '"}}' })
    form.append(field)
    document.body.append(form)
    form.submit()
  }
}

function inFrame() {
  const name = `frame ${document.querySelectorAll('iframe').length}`
  const frame = Object.assign(document.createElement('iframe'), { name })
  document.body.append(frame)
  return name
}

const loaded = (tag: string, member: string) => (url: string) =>
  document.body.append(Object.assign(document.createElement(tag), { [member]: url }))

/** A browser takes a top-level navigation for its user's own wish: `SameSite=Lax` cookies go with its GETs. */
function followed(url: string) {
  const link = Object.assign(document.createElement('a'), { href: url, target: '_blank' })
  document.body.append(link)
  link.click()
}

const byQuery = (url: string) => `${url}&input=${encodeURIComponent(json)}`

/** Each with what an app answers to it that lets no other origin in. */
export const attempts: Record<string, [run: (url: string) => unknown, status: number]> = {
  'a form': [submitted('application/x-www-form-urlencoded'), 415],
  'a form of plain text that is JSON': [submitted('text/plain'), 415],
  'a form of parts': [submitted('multipart/form-data'), 415],
  'a form in a window of its own': [submitted('text/plain', () => '_blank'), 415],
  'fetch without CORS': [fetched({ mode: 'no-cors' }), 415],
  'fetch without CORS, as JSON': [typed('application/json', { mode: 'no-cors' }), 415],
  'fetch of plain text': [typed('text/plain'), 415],
  'fetch of JSON': [typed('application/json'), 405],
  'fetch of JSON with a token': [
    fetched({ headers: { 'content-type': 'application/json', 'x-svc-csrf': planted } }),
    405,
  ],
  'fetch by DELETE': [fetched({ method: 'DELETE' }), 405],
  'a beacon': [(url) => navigator.sendBeacon(url, json), 415],
  'a beacon of JSON': [
    (url) => navigator.sendBeacon(url, new Blob([json], { type: 'application/json' })),
    405,
  ],
  'fetch by GET': [(url) => fetch(byQuery(url), { mode: 'no-cors', credentials: 'include' }), 405],
  'an image': [(url) => loaded('img', 'src')(byQuery(url)), 405],
  'a script': [(url) => loaded('script', 'src')(byQuery(url)), 405],
  'a frame': [(url) => loaded('iframe', 'src')(byQuery(url)), 405],
  'a link': [(url) => followed(byQuery(url)), 405],
  'a window': [(url) => window.open(byQuery(url)), 405],
}

/** Puts a token beside the app's own: cookies can be set for a whole domain by each of its hosts. */
export function plantToken() {
  const domain = location.hostname.replace(/^\w+\./, '')
  document.cookie = `svc_csrf=${planted}; path=/; domain=${domain}`
}
