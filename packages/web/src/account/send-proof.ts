export interface SendProof {
  /** What the application's `beforeSend` asks for, such as the answer of a captcha: asked for at each send. */
  proof?: (() => string | Promise<string>) | undefined
}

export async function sendProof(proof: SendProof['proof']) {
  return proof ? { proof: await proof() } : {}
}
