/** The one stylesheet of a page: no font, image or import from anywhere; the content policy names its digest. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fdfcf9;--raised:#fff;--ink:#1d1b18;--soft:#5d5850;--rule:#d9d4c9;--link:#1f4e79;
--verified:#1d6b3c;--refused:#a3182a;--found:#a3182a;--open:#7a5500;--claimed:#5d5850;--wash:#f4f1ea;--mark:#fbe9e7;
--serif:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,"DejaVu Serif",serif;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;
--mono:ui-monospace,"Cascadia Mono","SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{--paper:#161513;--raised:#1e1c19;--ink:#ece8df;--soft:#a8a196;--rule:#3b3832;--link:#93bfe8;
--verified:#7fcf9b;--refused:#ff9a93;--found:#ff9a93;--open:#e5bf62;--claimed:#a8a196;--wash:#211f1c;--mark:#3a2220}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.55 var(--serif)}
header,main,footer{max-width:70rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2.5rem}
h1,h2,h3,h4{line-height:1.25;font-weight:600;text-wrap:balance}
h1{font-size:2.1rem;margin:.2rem 0 .4rem;overflow-wrap:anywhere}
h2{font-size:1.45rem;margin:0 0 .8rem}
h3{font-size:1.1rem;margin:1.4rem 0 .5rem}
h4{font-size:.9rem;margin:1rem 0 .3rem}
p{margin:.5rem 0;max-width:46rem}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:2px}
a:focus-visible,button:focus-visible,summary:focus-visible,input:focus-visible,textarea:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--link);outline-offset:2px}
code,pre,.evidence{font-family:var(--mono);font-size:.82em}
.evidence,.told{unicode-bidi:isolate;overflow-wrap:anywhere}
.hidden{background:var(--ink);color:var(--paper);padding:0 .15em;border-radius:2px}
pre{margin:.4rem 0;padding:.7rem;background:var(--wash);border:1px solid var(--rule);max-height:24rem;overflow:auto;white-space:pre-wrap}
.over,.kind,.cut,.none,.colophon,caption,figcaption,th[scope=col],.steps,label,button,.banner h2,nav,.time,.mark,.code{font-family:var(--sans)}
.over{font-size:.85rem;color:var(--soft);margin:0}
.skip{position:absolute;left:-100rem;background:var(--paper);padding:.5rem 1rem;font-family:var(--sans)}
.skip:focus{left:.5rem;top:.5rem;z-index:1}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;margin:.8rem 0 0;padding:0;font-size:.9rem}
#banners{display:grid;grid-template-columns:.85fr 1.35fr .95fr .95fr;gap:0;margin:1.8rem 0 0;border:1px solid var(--rule);background:var(--raised)}
.banner{padding:1rem 1.1rem 1.1rem;border-top:4px solid currentColor;border-right:1px solid var(--rule);font-size:.92rem;min-width:0}
.banner:last-child{border-right:0}
.banner h2{font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;margin:0 0 .4rem;color:var(--soft)}
.banner p{color:var(--ink);margin:.45rem 0}
.banner .word{color:inherit;display:flex;gap:.5rem;align-items:flex-start;font-size:1.2rem;line-height:1.25;margin:0 0 .6rem}
.shape{flex:none;vertical-align:-.22em;margin-right:.35em}
.word .shape{margin:.12rem 0 0}
.verified{color:var(--verified)}.refused{color:var(--refused)}.found{color:var(--found)}.open{color:var(--open)}.claimed{color:var(--claimed)}
main>section,#content>section{margin:2.6rem 0 0;padding-top:1.4rem;border-top:1px solid var(--rule)}
main>section,#content{color:var(--ink)}
ul{padding-left:1.2rem;margin:.4rem 0}
li{margin:.2rem 0;max-width:46rem}
dl{margin:.4rem 0}
dl>div{display:grid;grid-template-columns:13rem 1fr;gap:.1rem 1rem;padding:.3rem 0}
dt{font-family:var(--sans);font-size:.85rem;color:var(--soft);padding-top:.15rem}
dd{margin:0;max-width:48rem;overflow-wrap:anywhere}
.reason{border-left:4px solid currentColor;padding:.1rem 0 .1rem 1.1rem;margin:1.2rem 0 1.8rem}
.reason>*:not(h3){color:var(--ink)}
.reason h3{font-size:1.2rem;margin:0 0 .2rem}
.reason .code{margin:0 0 .6rem;color:var(--soft);font-size:.85rem}
.reason.claimed h3{font-size:1.02rem}
.statement+.statement{border-top:1px dotted var(--rule);margin-top:.6rem;padding-top:.4rem}
.explained{background:var(--wash);padding:.4rem .9rem;margin:.8rem 0 0;border:1px solid var(--rule)}
.part{font-size:1.2rem;margin-top:2rem}
.relation{font-family:var(--mono);font-size:.75em;color:var(--soft)}
.instant span{white-space:nowrap}.instant{font-family:var(--mono);font-size:.82em}
details{margin:.4rem 0}
summary{cursor:pointer;font-family:var(--sans);font-size:.85rem;color:var(--link)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.95rem}
caption{text-align:left;font-size:.85rem;color:var(--soft);padding-bottom:.4rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .9rem .5rem 0;border-bottom:1px solid var(--rule);font-weight:400}
th[scope=col]{font-size:.8rem;color:var(--soft)}
.families{max-width:46rem;margin-top:1.6rem}
.families th[scope=row]{font-family:var(--mono);font-size:.85em}
.number{font-family:var(--mono);font-size:.85em;white-space:nowrap}
.records td:nth-child(3){min-width:15rem}.records th .evidence{white-space:nowrap}
.kind,.mark{display:block;font-size:.78rem;color:var(--soft)}
.mark{color:var(--found);font-weight:600}.none{font-size:.85rem;color:var(--soft)}
tr.affected{background:var(--mark);box-shadow:inset 4px 0 var(--found)}
tr.supporting{box-shadow:inset 4px 0 var(--soft)}
tr.affected>:first-child,tr.supporting>:first-child{padding-left:.7rem}
tr:target{outline:2px solid var(--link);outline-offset:-2px}
.records dl>div{grid-template-columns:11rem 1fr}
.cut,.colophon,figcaption{font-size:.82rem;color:var(--soft);max-width:46rem}
figure{margin:.6rem 0}
figcaption{margin-top:.6rem}
svg[role=group]{display:block;font-family:var(--sans);color:var(--ink)}
svg text{fill:currentColor}
svg .order,svg .answer,svg .kind-name{fill:var(--soft)}
svg .lane{color:var(--rule)}svg .tick{color:var(--rule)}
svg .head,svg .box,svg .note{fill:var(--raised);color:var(--soft)}
svg .note{fill:var(--wash)}
svg .lane-name{font-weight:600}
svg .id,svg .asked{font-family:var(--mono);font-size:11px}
svg .dot{fill:var(--raised)}
svg a{color:var(--ink)}.fits{max-width:100%;height:auto;min-width:56rem}
svg .drawn:hover{color:var(--link)}
svg .edge{color:var(--soft);stroke-width:1}
svg .edge.supporting{color:var(--found);stroke-width:2.6}
svg .drawn.supporting .box,svg .drawn.supporting .note,svg .drawn.supporting .dot{color:var(--found);stroke-width:2}
svg .drawn.affected{color:var(--found);font-weight:600}
svg .drawn.affected .box,svg .drawn.affected .note,svg .drawn.affected .dot{color:var(--found);stroke-width:2.6}
svg .drawn.affected .hit{fill:var(--mark)}
svg .drawn.supporting .hit{fill:var(--wash)}
svg .affected-name{fill:var(--found);font-weight:600;font-size:11px}
svg a:focus-visible{outline:3px solid var(--link);outline-offset:1px}
.steps{font-size:.9rem;columns:2;max-width:46rem}
.steps .refused strong{color:var(--refused)}.steps .not_reached,.steps .not_in_mode{color:var(--soft)}
.check{background:var(--wash);border:1px solid var(--rule);border-top:0;padding:.9rem 1.1rem}
.check h2{font-size:1.05rem;margin:0}.check p{font-size:.92rem;max-width:60rem}
main>.check{margin:0}
label{display:block;font-size:.85rem;margin:.7rem 0 .2rem}
textarea,input[type=search],input[type=text],input[type=file]{font:inherit;font-size:.9rem;width:100%;max-width:46rem;color:inherit;background:var(--raised);border:1px solid var(--soft);padding:.4rem .5rem;border-radius:2px}
textarea{font-family:var(--mono);font-size:.8rem;min-height:3.6rem}
button{font-size:.9rem;padding:.45rem .9rem;margin:.6rem .5rem 0 0;color:var(--ink);background:var(--raised);border:1px solid var(--soft);border-radius:2px;cursor:pointer}
button[disabled]{opacity:.5;cursor:default}
.check dd{font-size:.92rem}.check dd input[type=file]{max-width:30rem;margin:.2rem 0 0;display:block}
.check dd p{margin:0}
.drop{border:1.5px dashed var(--soft);padding:1rem;margin:.8rem 0;max-width:46rem}
.drop.over-it{border-color:var(--link);background:var(--raised)}
footer{margin-top:3rem;padding-bottom:3rem;color:var(--soft);font-size:.85rem}
@media (max-width:60rem){#banners{grid-template-columns:1fr 1fr}.banner:nth-child(2n){border-right:0}}
@media (max-width:40rem){body{font-size:16px}header,main,footer{padding-left:1rem;padding-right:1rem}h1{font-size:1.6rem}#banners{grid-template-columns:1fr}.banner{border-right:0}
dl>div,.records dl>div{grid-template-columns:1fr}.steps{columns:1}
.records thead{position:absolute;left:-100rem}.records tr{display:block;padding:.6rem 0;border-bottom:1px solid var(--rule)}.records td,.records th{display:block;border:0;padding:.1rem .6rem}
.records td:nth-child(3){min-width:0}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{:root{color-scheme:light;--paper:#fff;--raised:#fff;--ink:#000;--soft:#444;--rule:#bbb;--link:#000;--wash:#f5f5f5;--mark:#fbe9e7;--verified:#14532d;--refused:#8b1020;--found:#8b1020;--open:#5f4300;--claimed:#444}
@page{margin:16mm 14mm}html{font-size:9pt}body{font-size:9.5pt}header{padding-top:0}header,main,footer{max-width:none;padding:0}.skip,nav,.check,#search,#leaves,button{display:none}
#banners{grid-template-columns:1fr 1fr}.banner:nth-child(2n){border-right:0}.banner,.reason h3,.explained,figure,tr:not(.affected),dl>div,li{break-inside:avoid}h2,h3,h4{break-after:avoid}
.scroll{overflow:visible}svg[role=group]{max-width:100%;height:auto;min-width:0}pre{max-height:none}.records details:not([open]){display:none}a{text-decoration:none}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`.replace(/\n/g, '');
