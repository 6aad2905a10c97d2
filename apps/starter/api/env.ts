/** Where the web app is: its pages sign their own requests and send them straight here. */
export function webOrigins({ SVC_APP_URL = 'http://localhost:3790' } = process.env) {
  // What is no address is reported when the server starts, with all the other variables.
  if (!URL.canParse(SVC_APP_URL)) return []
  const { origin, hostname } = new URL(SVC_APP_URL)
  // People take these two for the same page, and browsers do not.
  return hostname === 'localhost' ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin]
}
