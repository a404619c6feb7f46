const MAX_REMEMBERED = 10_000;

/** A map that forgets what was set longest ago. */
export class Recent<V> extends Map<string, V> {
  override set(key: string, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > MAX_REMEMBERED) this.delete(this.keys().next().value!);
    return this;
  }
}
