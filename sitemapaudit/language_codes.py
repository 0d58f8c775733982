"""Codes of languages, scripts and regions.

`make languages` writes this module from pycountry 26.2.16, a copy of Debian's iso-codes: its
version is its date.
"""

from __future__ import annotations

from typing import Final

ISO_639_1: Final = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv
dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie
ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv
mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm
rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr
ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
"""Languages, with two letters."""

ISO_639_2_AND_3: Final = """
aa-abcdefghiklnopqrstuwxz ab-abcdefghijklmnopqrstuvwxyz ac-abdefhiklmnpqrstuvwxyz
ad-abdefghijlnoqrstuwxyz ae-abcdeklmnqrsuwyz af-bdeghiknoprstuz ag-abcdefghijklmnoqrstuvwxyz
ah-abghiklmnoprst ai-abcdefghijklmnopqrtwxy aj-aginsuwz ak-abcdefghijklmopqrstuvwxyz
al-abcdefhijklmnopqrstuwxyz am-abcefghijklmnopqrstuvwxyz an-abcdefghijklmnopqrstuvwxyz
ao-abcdefgijklmnrstuxz ap-bcdefghijklmnopqrstuvwxyz aq-cdgkmnprtz ar-abcdeghijklmnopqrsuvwxyz
as-abcefghijklmnopqrstuvwxyz at-abcdegijklmnopqrstuvwxyz au-abcdghijklmnopqrtuwxyz av-abdeiklmnostuv
aw-abceghikmnorstuvwxy ax-begklmx ay-abcdeghiklmnopqrstuz az-abdegjmnotz ba-abcefghjklmnopqrsuvwxy
bb-abcdefghijklmnopqrstuvwxy bc-abcdefghijklmnopqrstuvwyz bd-abcdefghijklmnopqrstuvwxyz
be-abcdefghijklmnopqstuvwxyz bf-abcdefghijklmnopqrstuwxyz bg-abcdefgijklnopqrstuvwxyz
bh-abcdefghijlmnopqrstuvwxyz bi-abdefgklmnopqrstuvwxyz bj-abcefghijklmnoprstuvwxyz
bk-acdfghijklmnopqrstuvwxyz bl-abcdefhijklmnopqrstvwxyz bm-abcdefghijklmnopqrstuvwxz
bn-abcdefgijklmnopqrsuvwxyz bo-abdefghijklmnopqrstuvwxyz bp-acdeghijklmnopqrstuvwxyz
bq-abcdfghijklmnopqrstuvwxyz br-abcdefghijklmnopqrstuvwxyz bs-abcefghijklmnopqrstuvwxy
bt-acdefghijmnopqrstuvwxyz bu-abcdefghijklmnopqrstuvwxyz bv-abcdefghijklmnopqrtuvwxyz
bw-abcdefghijklmnopqrstuwxyz bx-abcdefghijklmnopqrsuvwz by-abcdefghijklmnopqrstvwxz
bz-abcdefghijklmnopqrstuvwxyz ca-abcdefghjklmnopqrstvwxyz cb-bcdgijklnoqrstuvwy cc-cdeghjlmopr
cd-aefhijmnorsyz ce-abgknsty cf-adgm cg-acgk ch-abcdefghijklmnopqrtuvwxyz ci-abcdehkmnprwy
cj-aehikmnopsvy ck-bhlmnoqrstuvxyz cl-acdehijklmostuwy cm-aegilmnorst cn-abcghiklopqrstuwx
co-abcdefghjklmnopqrstuvwxz cp-abcginosuxy cq-d cr-abcdefghijklmnoqrstvwxyz
cs-abcdefghijklmnopqrstvwxyz ct-acdeghlmnopstuyz cu-abchijklopqrtuvwxy cv-gn cw-abdegt cx-h cy-abmo
cz-ehknot da-acdeghijklmnoqrsuvwxz db-abdefgijlmnopqrtuvwy dc-cr dd-adegijnorsw de-cdefghilmnpqrsuvz
dg-abcdeghiklnorstwxz dh-dgilmnorsuvwx di-abcdfghijklmnopqrsuvwxyz dj-abcdefijkmnoruw dk-agkrsx
dl-gkmn dm-abcdefgklmorsuvwxy dn-adegijknortuvwy do-abcefhiklnopqrstvwxyz dp-p dr-bcdegilnoqstuy
ds-behiklnoqz dt-abdhikmnoprstuy du-abcefghiklmnopqrstuvwxyz dv-a dw-akrsuwyz dy-abdgimnoruy
dz-adeglno ea-a eb-cgkoru ec-rsy ee-e ef-aei eg-almoy eh-su ei-ptv ej-a ek-aegiklmopry el-ehiklmoux
em-abegikmnpqsuwxyz en-abcdfghlmnoqruvwx eo-t ep-io er-aghikorstw es-eghiklmnoqstuy et-bchnorstuxz
eu-ds ev-ehn ew-eo ex-t ey-ao ez-ae fa-abdfghijklmnoprstuxyz fb-l fc-s fe-r ff-im fg-r fi-aefjlnprtw
fk-kv fl-ahilnry fm-pu fn-bgi fo-dimnrs fp-e fq-s fr-acdekmopqrsty fs-els fu-bcdefhijlmnqrtuvy fv-r
fw-ae ga-abcdefghijklmnopqrstuwxyz gb-abdefghijklmnopqrsuvwxyz gc-cdeflnrt gd-abcdefghijklmnoqrstux
ge-abcdfghijkloqrsvwxyz gf-kt gg-abdegkltuw gh-acehklnorst gi-abcdeghilmnpqrstuwxyz gj-kmnru
gk-adenopu gl-abcdeghjkloruvwy gm-abdghlmnruvxyz gn-abcdeghijklmnoqrtuwz
go-abcdefghijklmnopqrstuvwxyz gp-aen gq-ainru gr-abcdeghijmnoqrstuvwxyz gs-eglmnopsw gt-au
gu-abcdefghijklmnopqrstuwxz gv-acefjlmnoprsy gw-abcdefgijmnrtuwx gx-x gy-abdefgilmnoryz gz-ain
ha-abcdefghijklmnopqrstuvwxyz hb-abnosu hc-ah hd-nsy he-abdghimr hg-mw hh-iry hi-abdfghijklnortwx
hj-i hk-aehkns hl-abdetu hm-abcdefghijklmnopqrstuvwyz hn-adeghijmnosu ho-abcdehijlmoprstvwyz hp-os
hr-acekmoptuvwxz hs-bhlns ht-iosux hu-bcdefghijklmnopqrstuvwxyz hv-ceknv hw-aco hy-aew ia-inr
ib-abdeghlmnoruy ic-aehlr id-abcdeiorstu if-abefkmuy ig-beglmnosw ih-bipw ii-in ij-cejns
ik-ehikloprstuvwxz il-abegikmopsuv im-ailnorsty in-abdghjlmnopstz io-ruw ip-iko iq-uw ir-ehiknruxy
is-acdeghiklmnortuv it-abdeiklmorstvwxyz iu-m iv-bv iw-kmos ix-cl iy-aox iz-hmrz
ja-abcdefhjklmnoqstuvxyz jb-eijkmnortuw jc-st jd-agt je-behiklnrtu jg-beko jh-is ji-abcdeghilmoqtuvy
jj-er jk-amoprsu jl-es jm-abcdilnrswx jn-adgijls jo-bdgrsw jp-anr jq-r jr-abrtu js-l
ju-abcdhiklmnoprstuwy jv-dn jw-i jy-aey ka-abcdefghijklmnopqstuvwxyz kb-abcdeghijklmnopqrstuvwxyz
kc-abcdefghijklmnopqrstuvwxyz kd-acdefghijklmnpqrtuwxyz ke-abcdefghijklmnopqrstuvwxyz
kf-abcdefghijklmnopqrstuvwxyz kg-abefgijklnopqrstuvwxy kh-abcdefghjklmnopqrstuvwxyz
ki-abcdefghijklmnopqrstuvwxyz kj-abcdeghijklmnopqrstuvxyz kk-abcdefghijklmnopqrstuvwxyz
kl-abcdefghijklmnopqrstuvwxyz km-abcdefghijklmnopqrstuvwxyz kn-abcdefgijklmnopqrstuvwxyz
ko-acdefghiklmnopqrstuvwyz kp-abcdefghijklmnoqrstuvwxyz kq-abcdefghijklmnopqrstuvwxyz
kr-abcdefhijklnprstuvwxyz ks-bcdefghijklmnopqrstuvwxyz kt-abcdefghijklmnopqstuvwxyz
ku-abcdefghijklmnopqrstuvwxyz kv-abcdefghijklmnopqrtuvwxyz kw-abcdefghijklmnoprstuvwxyz
kx-abcdfhijkmnopqrstvwxyz ky-abcdefghijklmnopqrstuvwxyz kz-abcdefgiklmnopqrsuvwxyz
la-abcdefghijlmnopqrstuvwxyz lb-bcefgijklmnoqrstuvwxyz lc-cdefhlmpqs ld-abdghijklmnopq
le-abcdefhijklmnopqrstuvwxyz lf-an lg-abghiklmnoqrstuz lh-ahilmnpstu li-abcdefghjklmnopqrstuvwxyz
lj-aeilpwx lk-abcdehijlmnorstuy ll-abcdefghijklmnpqsux lm-abcdefghijklnopqruvwxy ln-abdghijlmnsuwz
lo-abcefghijklmnopqrstuvwxyz lp-aenox lq-r lr-acegiklmnortvz ls-abcdehilmnoprstvwy lt-cghinosuz
lu-abcdefghijklmnopqrstuvwyz lv-aiklsu lw-aeghlmostuw lx-m ly-agn lz-hlnz
ma-abcdefghijklmnoqrstuvwxyz mb-abcdefhijklmnopqrstuvwxyz mc-abcdefghijklmnopqrstuvwxyz
md-abcdefghijklmnpqrstuvwxyz me-abcdefhijklmnopqrstuvwyz mf-abcdefghijklmnopqrstuvwxyz
mg-abcdefghijklmnopqrstuvwyz mh-abcdefgijklmnopqrstuwxyz mi-abcdefghijklmnopqrstuwxyz
mj-bcdeghijklmnopqrstuvwxyz mk-abcdefgijklmnopqrstuvwxyz ml-abcefghijklmnopqrstuvwxz
mm-abcdefghijklmnopqrtuvwxyz mn-abcdefghijklmnpqrsuvwxyz mo-acdeghijkmnopqrstuvwxyz
mp-abcdeghijklmnopqrstuvwxyz mq-abcefghijklmnopqrstuvwxyz mr-abcdefghijklmnopqrstuvwxyz
ms-abcdefghijklmnopqrsuvwxyz mt-abcdefghijklmnopqrstuvwxy mu-abcdeghijklmopqrstuvxyz
mv-abdefghiklnopqrstuvwxyz mw-abcefghiklmnopqrstuvwz mx-abcdefghijklmnopqrstuvwxyz
my-abcefghjklmoprsuvwxyz mz-abcdeghijklmnopqrstuvwxyz na-abcefgjklmnopqrstuvwxyz
nb-abcdeghijklmnopqrstuvwy nc-abcdefghijklmnoqrstuxz nd-abcdefghijklmnopqrstuvwxyz
ne-abcdefghijkmnopqrstuvwxyz nf-adlru ng-abcdeghijklmnpqrstuvwxyz nh-abcdefghikmnopqrtuvwxyz
ni-abdefghijklmnoqrstuvwxyz nj-abdhijlmnorstuxyz nk-abcdefghijkmnopqrstuvwxz nl-acdegijklmoquvwxyz
nm-abcdefghijklmnopqrstuvwxyz nn-abcdefghijklmnopqrtuvwyz no-abcdefghijklnpqrstuvwyz np-abghilnosuxy
nq-gklmnoqty nr-abcefgiklmnprtuxz ns-abcdefghiklmnopqrstuvwxyz nt-dgijkmopruwxyz
nu-acdefghijklmnopqrstuvwxyz nv-hmo nw-abcegimorwxy nx-adegiklmnoqrx ny-abcdefghijklmnopqrstuvwxy
nz-abdikmrsuyz oa-ackrv ob-iklmortu oc-ahimou od-aktu of-osu og-bcegou oh-tu oi-aen oj-bcgipsvw
ok-abcdeghijklmnorsuvxz ol-adekmortu om-abcgiklnoprtuwxy on-abegijknoprstuwx oo-dgnrs op-akmoty
or-aceghimnorstuvwxyz os-acinopstux ot-abdeiklmnqrstuwxyz ou-abeim ov-d ow-il oy-bdmy oz-m
pa-bcdefghiklmnopqrsuvwxyz pb-bcefghilmnoprstuvy pc-abcdefghijklmnpw pd-acinotu
pe-abdefghijklmopqrsvxyz pf-ael pg-adgiklnsuz ph-adghjklmnoqrtuvw pi-abcdefghjlmnoprstuvwxyz pj-t
pk-abcghnoprstu pl-abcdeghiklnoqrstuvwyz pm-abdefhijlmnoqrstwxyz pn-abcdeghijklmnopqrstuvwxyz
po-cefghiklmnopqrstvwxy pp-eiklmnopqstu pq-am pr-cdefghiklmnoqrstuwxz ps-acdeghilmnopqrstuwy
pt-ahinopqrtuvwy pu-abcdefgijmopqrstuwxy pw-abgimnorw px-m py-emnsuxy pz-ehn
qu-abcdefghiklmnpqrsvwxyz qv-acehijlmnopswyz qw-achmst qx-achlnopqrstuw qy-ap
ra-abcdfghijklmnopqrstuvwxyz rb-bklp rc-f rd-b re-abegijlmnrsty rg-aeknrsu rh-gp ri-abflmnrtu rj-gis
rk-abhimtw rm-abcdefghiklmnopqstuvwxyz rn-bdglnprw ro-bcdefghlmnopruw rp-nt rr-imot rs-bklmnw
rt-chmsw ru-bcefghikmnopqstuyz rw-aklmor rx-dw ry-nsu rz-h sa-abcdefghjkmnoqrstuvwxyz
sb-abcdefghijklmnopqrstuvwxyz sc-befghiklnopqstuvwx sd-abcefghjklnopqrstuxz
se-abcdefghijklnopqrstuvwyz sf-bemsw sg-abcdeghijkmprstuwxyz sh-abcdeghijklmnopqrstuvwxyz
si-abdefghijklmnpqrsuvwxyz sj-abcdegklmnoprstuw sk-abcdefghijmnopqrstuvwxyz
sl-cdefghijklmnoprstuvwxyz sm-abcefghjklmnopqrstuvwxyz sn-acdefgijklmnopqrsuvwxyz
so-abcdeghijklmopqrstuvwxyz sp-abcdegiklmnopqrstuvxy sq-ahikmnoqrstux sr-abcdefghiklmnopqrstuvwxyz
ss-bcdefghijklmnopqrstuvwxyz st-abdefghijklmnopqrstuvwy su-abcegijknoqrstvwxyz sv-abcekmsx
sw-abcefghijklmnopqrstuvwxy sx-bcegklmnorsuw sy-abciklmnorswxy sz-abceglnpsvwy
ta-abcdefghjklmnopqrstuvwxyz tb-acdefghijklmnoprstuvwxyz tc-abcdefghiklmnopqstuwxyz
td-abcdefghijklmnoqrstvxy te-abcdefghiklmnopqrstuvwxyz tf-inort tg-abcdefhijklnopqrstuvwxyz
th-adefhiklmnpqrstuvyz ti-abcfghijklmnopqrstuvwxyz tj-agijlmnopsuw tk-abdefglmnpqrstuvwxz
tl-abcdfghijklmnopqrstuvxy tm-abcdefghijlmnoqrstuvwyz tn-abcdghiklmnopqrstuvwxyz
to-bcdfghijklmnopqrsuvwxyz tp-acefgijklmnopqrtuvxyz tq-blmnopqrtuw tr-abcdefghijlmnopqrstuvwxyz
ts-abcdeghijklmnopqrstuvwxyz tt-abcdefghijklmnopqrstuvwyz tu-abcdefghijklmnoqrsuvxyz
tv-adeiklmnostuwxy tw-abcdefghilmnopqrtuwxy tx-abceghijmnoqrstuxy ty-aehijlnprstuvxyz tz-ahjlmnox
ua-mnr ub-ailruy ud-aegijlmu ue-s uf-i ug-abehnoy uh-an ui-gsv uj-i uk-aghiklpqrsuvwy
ul-abcefiklmnuwy um-abcdgimnoprsu un-adegikmnruxz uo-n up-iv ur-abcdefghiklmnoprtuvwxyz us-ahikpsu
ut-aehpru uu-mru uv-ehl uw-a uy-a uz-bns va-aefghijlmnoprsuvy vb-bk ve-cdlmnopr vg-rt vi-cdefglnstv
vj-k vk-ajklmnoptuz vl-ps vm-abcdefghijklmpqrsuvwxyz vn-kmp vo-lrt vr-aost vs-ilnv vt-o vu-mnt vw-a
wa-abcdefghijlmnopqrstuvwxyz wb-abefhijklmpqrstvw wc-ai wd-dgjktuy we-acdghilmoprstuw wf-g
wg-abgiouy wh-agku wi-bcefghijklmnruvy wj-ai wk-abdlruwy wl-aceghiklmnorsuvwxy wm-abcdeghimnostwx
wn-bcdegikmnopuwy wo-abcdefgiklmnorswy wp-c wr-bghiklmnoprsuvwxyz ws-agikrsuv wt-bfhikmw
wu-abdhlmnrtuvxy ww-aborw wx-aw wy-bimnry xa-abcdegijklmnopqrstuvwy xb-bcdegijmnoprwy
xc-bceghlmnortuvwy xd-ackmoqy xe-bdglmprstu xf-a xg-abdfgilmruw xh-acdemortuv xi-bilnrsvy xj-bt
xk-abcdefgijklnopqrstuvwxyz xl-abcdeginopsuy xm-abcdefghjklmnopqrstuvwxyz xn-abghijkmnoqrstuyz
xo-cdgikmnoprw xp-abcdefghijklmnopqrstuvwxyz xq-at xr-abdegimnrtuw xs-abcdehijlmnopqruvy
xt-abcdeghijlmnopqrstuvwy xu-abdgjlmnoprtu xv-einos xw-acdegjklortw xx-bkmrt xy-abjklty xz-hmp
ya-abcdefghijklmnopqrstuvwxyz yb-abehijklmnoxy yc-hlnpr yd-adegk ye-aceijlrstuvy yg-ailmprsuw
yh-adls yi-adfghijklmnpqrstuvxz yk-aghiklmnortuy yl-abegilmnoruy ym-bcdeghiklmnopqrsxz
yn-abdegklnoqsu yo-bgiklmnrtxy yp-abghmnopz yr-abeklmnoswy ys-cdglmnoprsy yt-alpwy
yu-abcdefgijklmnpqrtwxyz yv-at yw-aglnqrtuw yx-aglmuy yy-ruz yz-gk za-abcdefghijklmopqrstuvwxyz
zb-aceltuw zc-adh zd-j ze-aghmn zg-abhmnr zh-abdinow zi-abklmnwz zk-adghknoprtuvz zl-ajmnqu
zm-abcdefghijklmnopqrstuvwxyz zn-aegks zo-chmoqrs zp-abcdefghijklmnopqrstuvwxyz zq-e zr-agnops
zs-aklmru zt-eglmnpqstuxy zu-hlmny zw-a zx-x zy-bgjnp zz-aj
"""
"""Languages, with three letters: the first two, and each third one. Bibliographic codes too."""

ISO_15924: Final = """
Adlm Afak Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Berf Bhks Blis Bopo Brah Brai
Bugi Buhd Cakm Cans Cari Cham Cher Chis Chrs Cirt Copt Cpmn Cprt Cyrl Cyrs Deva Diak Dogr Dsrt Dupl
Egyd Egyh Egyp Elba Elym Ethi Gara Geok Geor Glag Gong Gonm Goth Gran Grek Gujr Gukh Guru Hanb Hang
Hani Hano Hans Hant Hatr Hebr Hira Hluw Hmng Hmnp Hntl Hrkt Hung Inds Ital Jamo Java Jpan Jurc Kali
Kana Kawi Khar Khmr Khoj Kitl Kits Knda Kore Kpel Krai Kthi Lana Laoo Latf Latg Latn Leke Lepc Limb
Lina Linb Lisu Loma Lyci Lydi Mahj Maka Mand Mani Marc Maya Medf Mend Merc Mero Mlym Modi Mong Moon
Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkdb Nkgb Nkoo Nshu Ogam Olck Onao Orkh Orya Osge Osma
Ougr Palm Pauc Pcun Pelm Perm Phag Phli Phlp Phlv Phnx Piqd Plrd Prti Psin Qaaa Qabx Ranj Rjng Rohg
Roro Runr Samr Sara Sarb Saur Seal Sgnw Shaw Shrd Shui Sidd Sidt Sind Sinh Sogd Sogo Sora Soyo Sund
Sunu Sylo Syrc Syre Syrj Syrn Tagb Takr Tale Talu Taml Tang Tavt Tayo Telu Teng Tfng Tglg Thaa Thai
Tibt Tirh Tnsa Todr Tols Toto Tutg Ugar Vaii Visp Vith Wara Wcho Wole Xpeo Xsux Yezi Yiii Zanb Zinh
Zmth Zsye Zsym Zxxx Zyyy Zzzz
"""
"""Scripts."""

ISO_3166_1: Final = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""
"""Regions, with two letters."""
