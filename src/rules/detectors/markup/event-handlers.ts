/** Event-handler content attributes, by the specification that defines them. Browsers compile the value as script. */
const NAMES = {
  // HTML 8.1.8.2, GlobalEventHandlers
  global: `onabort onauxclick onbeforeinput onbeforematch onbeforetoggle onblur oncancel oncanplay oncanplaythrough onchange
    onclick onclose oncommand oncontextlost oncontextmenu oncontextrestored oncopy oncuechange oncut ondblclick ondrag
    ondragend ondragenter ondragexit ondragleave ondragover ondragstart ondrop ondurationchange onemptied onended onerror
    onfocus onformdata oninput oninvalid onkeydown onkeypress onkeyup onload onloadeddata onloadedmetadata onloadend
    onloadstart onmousedown onmouseenter onmouseleave onmousemove onmouseout onmouseover onmouseup onmousewheel onpaste
    onpause onplay onplaying onprogress onratechange onreset onresize onscroll onscrollend onscrollsnapchange
    onscrollsnapchanging onsecuritypolicyviolation onseeked onseeking onselect onslotchange onstalled onsubmit onsuspend
    ontimeupdate ontoggle onvolumechange onwaiting onwheel`,
  // HTML 8.1.8.2.1, WindowEventHandlers, on body and frameset
  window: `onafterprint onbeforeprint onbeforeunload onhashchange onlanguagechange onmessage onmessageerror onoffline ononline
    onpagehide onpagereveal onpageshow onpageswap onpopstate onrejectionhandled onstorage onunhandledrejection onunload
    onorientationchange ondevicemotion ondeviceorientation ondeviceorientationabsolute ongamepadconnected
    ongamepaddisconnected onappinstalled onbeforeinstallprompt onportalactivate onvrdisplayactivate onvrdisplayblur
    onvrdisplayconnect onvrdisplaydeactivate onvrdisplaydisconnect onvrdisplayfocus onvrdisplaypresentchange`,
  // HTML 8.1.8.2.1, DocumentAndElementEventHandlers and document events
  document:
    'onreadystatechange onvisibilitychange onselectionchange onselectstart onfreeze onresume onprerenderingchange',
  // Pointer Events 3, 4.2; Touch Events, 5
  pointer: `ongotpointercapture onlostpointercapture onpointercancel onpointerdown onpointerenter onpointerleave onpointermove
    onpointerout onpointerover onpointerrawupdate onpointerup ontouchcancel ontouchend ontouchmove ontouchstart
    ontouchforcechange onmouseforcechanged onmouseforcedown onmouseforceup onmouseforcewillbegin ongesturechange
    ongestureend ongesturestart`,
  // CSS Animations 1 and CSS Transitions, event handlers; their webkit names
  animation: `onanimationcancel onanimationend onanimationiteration onanimationstart ontransitioncancel ontransitionend
    ontransitionrun ontransitionstart onwebkitanimationend onwebkitanimationiteration onwebkitanimationstart
    onwebkittransitionend`,
  // SVG 2, 15.7 and SVG Animations 2; SVG 1.1 names that browsers had
  svg: 'onbegin onend onrepeat onactivate onfocusin onfocusout onzoom onshow',
  // HTML clipboard, fullscreen, media and picture-in-picture additions
  additions: `onbeforecopy onbeforecut onbeforepaste oncuechange onencrypted onwaitingforkey onenterpictureinpicture
    onleavepictureinpicture onfullscreenchange onfullscreenerror onmozfullscreenchange onmozfullscreenerror
    onwebkitfullscreenchange onwebkitfullscreenerror onwebkitplaybacktargetavailabilitychanged
    onwebkitpresentationmodechanged onwebkitmouseforcechanged onwebkitmouseforcedown onwebkitmouseforceup
    onwebkitmouseforcewillbegin onwebkitkeyadded onwebkitkeyerror onwebkitkeymessage onwebkitneedkey onsearch
    onbeforexrselect oncontentvisibilityautostatechange oninvalid onlocation onvalidationstatuschange onpromptaction
    onpromptdismiss onaddtrack onremovetrack onsnapchanged onsnapchanging oninterest onloseinterest
    oncurrententrychange onnavigate`,
  // marquee; handlers that only older engines compile
  legacy: `onbounce onfinish onstart onafterscriptexecute onbeforescriptexecute onafterupdate onbeforeactivate
    onbeforedeactivate onbeforeeditfocus onbeforeupdate oncellchange oncontrolselect ondataavailable ondatasetchanged
    ondatasetcomplete ondeactivate onerrorupdate onfilterchange onhelp onlayoutcomplete onlosecapture onmove onmoveend
    onmovestart onmediacomplete onmediaerror onoutofsync onpropertychange onredo onresizeend onresizestart onreverse
    onrowenter onrowexit onrowsdelete onrowsinserted onscrollstart onseek onstop onsyncrestored ontimeerror
    ontrackchange onundo onurlflip onoverflow onunderflow onoverflowchanged oncheckboxstatechange onradiostatechange
    onpopuphidden onpopuphiding onpopupshowing onpopupshown`,
} as const;

export const EVENT_HANDLERS: ReadonlySet<string> = new Set(
  Object.values(NAMES).flatMap((names) => names.split(/\s+/).filter((name) => name !== '')),
);
