type Send = (url: string, init?: RequestInit) => Promise<Response>;

/** The key of a request is made for each sending: without it the same request reads the same. */
const keyOfSending = /"key":"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/;

/**
 * What is asked for while the same is under way is one request: a second click, or Enter held down, sends nothing twice. What only
 * looks, and what somebody may break off, is not held together.
 */
export function once(send: Send): Send {
  const underWay = new Map<string, Promise<Response>>();
  return async (url, init) => {
    const { method = 'GET', body, signal } = init ?? {};
    if (method === 'GET' || signal != null || (body != null && typeof body !== 'string'))
      return send(url, init);
    const name = `${method} ${url} ${body?.replace(keyOfSending, '') ?? ''}`;
    const going = underWay.get(name) ?? send(url, init).finally(() => underWay.delete(name));
    underWay.set(name, going);
    return (await going).clone();
  };
}
